import { expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { buildUpload } from "../uploads/upload.fixture.ts";
import { createTestQueue } from "../uploads/upload-queue.fixture.ts";
import { cancelMessage, restoreVoiceUploads, sendVoice, type VoiceNote } from "./use-voice-messages.ts";

const voiceNote: VoiceNote = {
  id: "recording-1",
  isSendUndone: false,
  accountId: 1,
  projectId: 2,
  file: new File(["sound"], "note.webm"),
  voice: { seconds: 2, wave: [] },
  body: "Listen",
  quote: null,
};

test("a recording sent twice is one message and one upload; without storage the result is false after it settles", async () => {
  const client = createClient({ baseUrl: "https://talkback.test" });
  const outbox = client.outbox;
  const uploads = client.uploads;
  const results = [sendVoice(client, voiceNote), sendVoice(client, voiceNote)];
  expect(outbox.entries()).toMatchObject([{ clientId: "recording-1", body: "Listen", uploads: ["recording-1"] }]);
  // The test environment has no database.
  expect(await uploads.isPersisted("recording-1")).toBe(false);
  expect(uploads.uploads()).toHaveLength(1);
  await outbox.whenStored("recording-1");
  outbox.discard("recording-1");
  expect(await Promise.all(results)).toEqual([false, false]);
  // The first upload is being canceled, so the second message gets another one.
  void sendVoice(client, { ...voiceNote, isSendUndone: true });
  expect(outbox.entries()[0]!.uploads).not.toEqual(["recording-1"]);
  outbox.discard("recording-1");
});

test("a voice note whose audio another tab may have stays in the outbox when it is canceled", async () => {
  const client = createClient({ baseUrl: "https://talkback.test" });
  const outbox = client.outbox;
  const uploads = client.uploads;
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

test("a recording is the file of its message's upload once, if the upload's bytes are lost", async () => {
  const recording = new Blob(["sound"]);
  const lost = { state: "lost", bytes: recording.size, name: "Voice note.webm", type: "audio/webm" } as const;
  const { queue, running, bytes } = createTestQueue({
    storedUploads: [
      { upload: buildUpload({ ...lost, id: "u1", messageId: "recording" }), file: null },
      { upload: buildUpload({ ...lost, id: "u2", messageId: "other" }), file: null },
    ],
  });
  await queue.switchAccount(1);
  let changes = 0;
  const restore = () => {
    changes += 1;
    restoreVoiceUploads(queue, [{ metadata: { id: "recording" }, bytes: recording }]);
  };
  const copies = vi.spyOn(bytes, "add");
  queue.onChange(restore);
  restore();
  expect(queue.uploads().map(({ state }) => state)).toEqual(["uploading", "lost"]);
  expect(await queue.isPersisted("u1")).toBe(true);
  expect([running.map(({ input }) => [input.name, input.file.type]), copies.mock.calls]).toEqual([[["Voice note.webm", "audio/webm"]], [["u1"]]]);
  expect(changes).toBeGreaterThan(1);
});
