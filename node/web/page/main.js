/** The page: one picture from the node at a time, drawn by the stage that it belongs to. */

import { Bar } from "./bar.js";
import { Connection } from "./connection.js";
import { h, say } from "./dom.js";
import { GatheringStage } from "./gathering.js";
import { HallStage } from "./hall.js";
import { acceptDrops } from "./replay.js";
import { apply, choose, setting } from "./settings.js";
import { TableStage } from "./table.js";
import { WatchingStage } from "./watching.js";
import { firstLanguage, language, speak, t } from "./words.js";

const STAGES = { hall: HallStage, gathering: GatheringStage, table: TableStage, watching: WatchingStage };
const STORY_LINES = 60;

class Page {
  #stage = null;
  #shown = null;
  #picture = null;
  #connection = null;
  #bar = null;

  async open() {
    apply();
    await speak(firstLanguage(setting("language")));
    this.#bar = new Bar(document.getElementById("bar"), (code) => this.#speak(code), () => this.#redraw());
    this.#connection = new Connection(language(), (picture) => this.#show(picture), (there) => this.#state(there));
    acceptDrops((words) => this.#notice(words));
  }

  async #speak(code) {
    choose("language", code);
    await speak(code);
    this.#shown = null;
    document.getElementById("story").replaceChildren();
    this.#bar.draw(this.#picture?.phone);
    this.#connection.speak(code);
  }

  #redraw() {
    if (this.#picture !== null) this.#show({ ...this.#picture, news: [] });
  }

  #show(picture) {
    this.#picture = picture;
    this.#tell(picture.news);
    this.#notice(picture.notice);
    const place = document.getElementById("stage");
    if (this.#shown !== picture.stage) {
      this.#stage?.close?.();
      this.#shown = picture.stage;
      place.replaceChildren();
      const Stage = STAGES[picture.stage];
      this.#stage = Stage ? new Stage(place, (kind, fields) => this.#ask(kind, fields)) : null;
      document.body.dataset.stage = picture.stage;
      if (this.#stage === null) place.append(h("p", { class: "quiet" }, t("One moment…")));
    }
    this.#stage?.draw(picture[picture.stage], picture);
    this.#stage?.tell?.(picture.news);
    this.#bar.draw(picture.phone);
  }

  async #ask(kind, fields) {
    const answer = await this.#connection.ask(kind, fields);
    if (answer.refused === null) this.#notice(this.#picture?.notice);
    else this.#notice(answer.refused.words || t("The program does not answer. It is tried again."));
    return answer;
  }

  #notice(words) {
    const place = document.getElementById("notices");
    say(place, words ?? "");
  }

  #tell(lines) {
    const story = document.getElementById("story");
    for (const line of lines) story.append(h("p", {}, line));
    while (story.childElementCount > STORY_LINES) story.firstElementChild.remove();
  }

  #state(there) {
    document.body.dataset.away = there ? "no" : "yes";
    if (!there) this.#notice(t("The program does not answer. It is tried again."));
    else this.#notice("");
  }
}

new Page().open();
