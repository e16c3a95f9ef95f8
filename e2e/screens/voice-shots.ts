/** Lists the screenshots of every state of recording and playing a voice note. */
import type { Page } from "@playwright/test";
import { composer, message, timeline } from "../fixtures/pages.ts";
import { fullShot, type Scene, type Shot } from "./shot.ts";

const voicesPath = ({ voicesProjectId }: Scene) => `/projects/${voicesProjectId}/chat`;
const voiceShot = (view: string, ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => fullShot(`voice-${view}`, voicesPath, ready, overrides);
const startRecording = (page: Page) => page.getByRole("button", { name: "Record a voice note" }).click();
const stopRecording = (page: Page) => page.getByRole("button", { name: "Stop recording" }).click();
const waitForSeconds = (page: Page, seconds: number) =>
  page.waitForFunction((minimum) => Number(document.querySelector("[role=timer]")?.textContent?.split(":").at(-1)) >= minimum, seconds);
const recordVoiceNote = async (page: Page, seconds = 3) => {
  await startRecording(page);
  await waitForSeconds(page, seconds);
  await stopRecording(page);
};
const sendButton = (page: Page) => page.getByRole("button", { name: "Send voice note" });

/** Makes microphone access fail with this error, or never complete if `name` is empty. */
const mockMicrophoneError = (name: string) => (page: Page) =>
  page.addInitScript((errorName) => {
    navigator.mediaDevices.getUserMedia = async () => {
      if (errorName !== "") throw new DOMException("", errorName);
      return new Promise(() => {});
    };
  }, name);
const silenceMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      for (const track of stream.getTracks()) track.enabled = false;
      return stream;
    };
  });
/** Disconnects the microphone after a moment. */
const unplugMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      setTimeout(() => stream.getTracks()[0]?.dispatchEvent(new Event("ended")), 2_500);
      return stream;
    };
  });

export const VOICE_SHOTS: Shot[] = [
  voiceShot("notes", (page) => message(page, "That one.")),
  voiceShot("plays", (page) => timeline(page).getByRole("button", { name: /^Pause / }), {
    act: async (page) => {
      const button = page.getByRole("button", { name: "Voice note speed: 1×" }).first();
      await button.click();
      await page
        .getByRole("button", { name: /^Play Voice note/ })
        .nth(2)
        .click();
      await page.waitForFunction(() => [...document.querySelectorAll("[role=slider]")].some((slider) => Number(slider.ariaValueNow) >= 5));
    },
  }),
  voiceShot("recording", (page) => page.getByRole("timer"), {
    act: async (page) => {
      await startRecording(page);
      await waitForSeconds(page, 6);
    },
  }),
  voiceShot("asking", (page) => page.getByText("Allow microphone access…"), { before: mockMicrophoneError(""), act: startRecording }),
  voiceShot("silent", (page) => page.getByRole("main").getByText("No sound from"), { before: silenceMicrophone, act: startRecording }),
  voiceShot("draft", sendButton, { act: (page) => recordVoiceNote(page) }),
  voiceShot("draft-text", (page) => page.getByRole("button", { name: "Send", exact: true }), {
    act: async (page) => {
      await recordVoiceNote(page);
      await composer(page).fill("The bridge as I hear it, listen to 0:02.");
    },
  }),
  voiceShot("deleted", (page) => page.getByRole("button", { name: "Undo" }), {
    act: async (page) => {
      await startRecording(page);
      await waitForSeconds(page, 1);
      await page.keyboard.press("Escape");
    },
  }),
  voiceShot("unplugged", (page) => page.getByText("The microphone was disconnected."), { before: unplugMicrophone, act: startRecording }),
  voiceShot("pending", (page) => page.getByRole("button", { name: "Play Your voice note" }), {
    before: (page) => page.route("**/api/v2/uploads**", () => {}),
    act: async (page) => {
      await recordVoiceNote(page);
      await sendButton(page).click();
    },
  }),
  ...(["NotAllowedError", "NotFoundError", "NotReadableError"] as const).map((name) =>
    voiceShot(name.toLowerCase(), (page) => page.getByRole("alert"), { before: mockMicrophoneError(name), act: startRecording }),
  ),
];
