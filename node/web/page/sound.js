/** A short knock on the table when it is the reader's turn; off unless it was switched on. */

import { setting } from "./settings.js";

const PITCH = 220;
const SECONDS = 0.12;

let audio = null;

/** Knock, if the reader wants sounds and the browser allows them. */
export function knock() {
  if (setting("sound") !== "on") return;
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: PITCH });
  const loudness = new GainNode(audio, { gain: 0.25 });
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + SECONDS);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + SECONDS);
}
