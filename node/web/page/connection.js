/** The socket to the node: shows what it sends, asks what the page wants, and comes back by itself. */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

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

  constructor(language, onShow, onState) {
    this.#language = language;
    this.#onShow = onShow;
    this.#onState = onState;
    window.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
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
    if ("show" in message) {
      this.#onShow(message.show);
      return;
    }
    this.#waiting.get(message.answer)?.({ refused: message.refused ?? null, value: message.value ?? null });
    this.#waiting.delete(message.answer);
  }

  #lost() {
    this.#onState(false);
    for (const resolve of this.#waiting.values()) resolve({ refused: { code: "away", words: "" } });
    this.#waiting.clear();
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}
