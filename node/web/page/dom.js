/** Making and changing elements. Texts are always text: nothing here reads markup. */

/**
 * An element with properties and children. `on…` are listeners, `class` may be an array with falsy entries,
 * everything else is an attribute: true is an empty one, false, null and undefined are none.
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  set(element, properties);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Set properties as `h` does. */
export function set(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = [value].flat().filter(Boolean).join(" ");
    else if (value === false || value === null || value === undefined) element.removeAttribute(key);
    else if (element.getAttribute(key) !== String(value === true ? "" : value)) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  return element;
}

/** Change the text of an element, if it is another one. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/** Replace the children of an element, unless they are what they were: `key` tells what they show. */
export function fill(element, key, make) {
  const wanted = JSON.stringify(key);
  if (element.dataset.shown === wanted) return element;
  element.dataset.shown = wanted;
  const held = element.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  element.replaceChildren(...[make()].flat().filter(Boolean));
  if (held) element.querySelector(`[data-focus="${CSS.escape(held)}"]`)?.focus();
  return element;
}

/** A button with a text. */
export function button(text, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, text);
}
