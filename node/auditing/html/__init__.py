"""An audit as one HTML file that needs nothing else: no script, no picture, font or style from elsewhere."""

from node.auditing.html.page import html_report
from node.auditing.html.writing import ReportFile, written_to

__all__ = ["ReportFile", "html_report", "written_to"]
