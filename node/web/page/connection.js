/** The socket to the node: shows what it sends, asks what the page wants, and comes back by itself. */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;
/** Milliseconds between two looks at the clock, and the gap between them that tells that the computer slept. */
const GLANCE = 5000;
const SLEPT = 15000;
/** Milliseconds in which the node answers if the connection is alive. */
const ALIVE = 3000;

/**
 * Keeps one connection. `onShow(picture)` gets every picture, `onState(connected)` whether the node answers.
 */
export class Connection {
  #onShow;
  #onState;
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #pause = FIRST_PAUSE;
  #language;
  #timer = 0;
  #glanced = Date.now();
  #doubt = 0;

  constructor(language, onShow, onState) {
    this.#language = language;
    this.#onShow = onShow;
    this.#onState = onState;
    // After a sleep nobody tells that the other end has gone: the socket looks open until something is said.
    for (const event of ["online", "pageshow"]) window.addEventListener(event, () => this.#wake());
    document.addEventListener("resume", () => this.#wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake());
    setInterval(() => this.#glance(), GLANCE);
    this.#open();
  }

  /** Ask the node for something; resolves to {refused, value}: null and what it answers, or {code, words}. */
  ask(kind, fields = {}) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ refused: { code: "away", words: "" } });
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({ id, do: kind, ...fields }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Talk in another language: all that was told is told again. */
  speak(language) {
    this.#language = language;
    this.#socket?.close();
    this.#hurry();
  }

  #glance() {
    const now = Date.now();
    if (now - this.#glanced > SLEPT) this.#wake();
    this.#glanced = now;
  }

  /** Something may have happened to the connection: open it anew if the node does not answer soon. */
  #wake() {
    this.#hurry();
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || this.#doubt) return;
    this.#doubt = setTimeout(() => {
      this.#doubt = 0;
      if (socket !== this.#socket) return;
      this.#lost();
      this.#hurry();
      socket.close();
    }, ALIVE);
    this.ask("ping");
  }

  #hurry() {
    if (this.#socket?.readyState === WebSocket.OPEN || this.#socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.#timer);
    this.#pause = FIRST_PAUSE;
    this.#open();
  }

  #open() {
    const address = new URL(`socket?lang=${this.#language}`, location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE;
      this.#onState(true);
    };
    socket.onmessage = (event) => socket === this.#socket && this.#hear(JSON.parse(event.data));
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  #hear(message) {
    clearTimeout(this.#doubt);
    this.#doubt = 0;
    if ("show" in message) {
      this.#onShow(message.show);
      return;
    }
    this.#waiting.get(message.answer)?.({ refused: message.refused ?? null, value: message.value ?? null });
    this.#waiting.delete(message.answer);
  }

  #lost() {
    this.#socket = null;
    clearTimeout(this.#timer);
    this.#onState(false);
    for (const resolve of this.#waiting.values()) resolve({ refused: { code: "away", words: "" } });
    this.#waiting.clear();
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}
