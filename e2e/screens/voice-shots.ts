/** Every state of recording and hearing a voice note. */
import type { Page } from "@playwright/test";
import { message, timeline } from "../fixtures/pages.ts";
import { full, type Scene, type Shot } from "./shot.ts";

const voices = ({ voicesProjectId }: Scene) => `/projects/${voicesProjectId}/chat`;
const shot = (view: string, ready: Shot["ready"], more: Partial<Shot> = {}): Shot => full(`voice-${view}`, voices, ready, more);
const record = (page: Page) => page.getByRole("button", { name: "Record a voice note" }).click();
const stop = (page: Page) => page.getByRole("button", { name: "Stop recording" }).click();
const until = (page: Page, seconds: number) =>
  page.waitForFunction((least) => Number(document.querySelector("[role=timer]")?.textContent?.split(":").at(-1)) >= least, seconds);
const recorded = async (page: Page, seconds = 3) => {
  await record(page);
  await until(page, seconds);
  await stop(page);
};
const draft = (page: Page) => page.getByRole("button", { name: "Send voice note" });

/** Answers for the microphone as a browser does where something is wrong with it. */
const answering = (name: string) => (page: Page) =>
  page.addInitScript((fault) => {
    navigator.mediaDevices.getUserMedia = async () => {
      if (fault !== "") throw new DOMException("", fault);
      return new Promise(() => {});
    };
  }, name);
const silenced = (page: Page) =>
  page.addInitScript(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await ask(wish);
      for (const track of stream.getTracks()) track.enabled = false;
      return stream;
    };
  });
/** The plug is drawn after a moment. */
const unplugged = (page: Page) =>
  page.addInitScript(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await ask(wish);
      setTimeout(() => stream.getTracks()[0]?.dispatchEvent(new Event("ended")), 2_500);
      return stream;
    };
  });

export const VOICE_SHOTS: Shot[] = [
  shot("notes", (page) => message(page, "That one.")),
  shot("plays", (page) => timeline(page).getByRole("button", { name: /^Pause / }), {
    act: async (page) => {
      const button = page.getByRole("button", { name: "Speed 1×, change" }).first();
      await button.click();
      await page
        .getByRole("button", { name: /^Play Voice note/ })
        .nth(2)
        .click();
      await page.waitForFunction(() => [...document.querySelectorAll("[role=slider]")].some((slider) => Number(slider.ariaValueNow) >= 5));
    },
  }),
  shot("recording", (page) => page.getByRole("timer"), {
    act: async (page) => {
      await record(page);
      await until(page, 6);
    },
  }),
  shot("asking", (page) => page.getByText("Allow the microphone where asked…"), { before: answering(""), act: record }),
  shot("silent", (page) => page.getByRole("main").getByText("No sound comes from"), { before: silenced, act: record }),
  shot("draft", draft, { act: (page) => recorded(page) }),
  shot("deleted", (page) => page.getByRole("button", { name: "Undo" }), {
    act: async (page) => {
      await record(page);
      await until(page, 1);
      await page.keyboard.press("Escape");
    },
  }),
  shot("unplugged", (page) => page.getByText("The microphone was disconnected."), { before: unplugged, act: record }),
  shot("pending", (page) => page.getByRole("button", { name: "Play Your voice note" }), {
    before: (page) => page.route("**/api/v2/uploads**", () => {}),
    act: async (page) => {
      await recorded(page);
      await draft(page).click();
    },
  }),
  ...(["NotAllowedError", "NotFoundError", "NotReadableError"] as const).map((name) =>
    shot(name.toLowerCase(), (page) => page.getByRole("alert"), { before: answering(name), act: record }),
  ),
];
