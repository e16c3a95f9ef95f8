import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { getUploadQueue } from "../uploads/lazy-upload-queue.ts";
import { getOutbox } from "./browser-outbox.ts";
import { cancelMessage, sendVoice, type VoiceNote } from "./use-voice-messages.ts";

const voiceNote: VoiceNote = {
  id: "recording-1",
  wasCanceled: false,
  accountId: 1,
  projectId: 2,
  file: new File(["sound"], "note.webm"),
  voice: { seconds: 2, wave: [] },
  quote: null,
};

test("a recording sent twice is one message and one upload; without storage the result is false after it settles", async () => {
  const client = new QueryClient();
  const outbox = getOutbox(client);
  const uploads = getUploadQueue(client);
  const results = [sendVoice(client, voiceNote), sendVoice(client, voiceNote)];
  expect(outbox.entries()).toMatchObject([{ clientId: "recording-1", uploads: ["recording-1"] }]);
  // The test environment has no database.
  expect(await uploads.isPersisted("recording-1")).toBe(false);
  expect(uploads.uploads()).toHaveLength(1);
  await outbox.whenStored("recording-1");
  outbox.discard("recording-1");
  expect(await Promise.all(results)).toEqual([false, false]);
  // The first upload is being canceled, so the second message gets another one.
  void sendVoice(client, { ...voiceNote, wasCanceled: true });
  expect(outbox.entries()[0]!.uploads).not.toEqual(["recording-1"]);
  outbox.discard("recording-1");
});

test("a voice note whose audio another tab may have stays in the outbox when it is canceled", async () => {
  const client = new QueryClient();
  const outbox = getOutbox(client);
  const uploads = getUploadQueue(client);
  void sendVoice(client, { ...voiceNote, id: "recording-2" });
  vi.spyOn(uploads, "load").mockResolvedValue(null);
  vi.spyOn(uploads, "uploads").mockReturnValue([]);
  const recover = vi.spyOn(uploads, "recover").mockResolvedValue([]);
  const saveVoice = vi.fn<() => Promise<void>>();
  await expect(cancelMessage(client, "recording-2", saveVoice)).rejects.toThrow("Another tab");
  expect(outbox.entries()).toHaveLength(1);
  // Once no tab has the audio, nothing is left to save.
  recover.mockResolvedValue(["recording-2"]);
  expect(await cancelMessage(client, "recording-2", saveVoice)).toBe("discarded");
  expect([outbox.entries(), saveVoice.mock.calls]).toEqual([[], []]);
});
