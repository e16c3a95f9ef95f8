import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { uploadsOf } from "../uploads/lazy-uploads.ts";
import { outboxOf } from "./outbox-of.ts";
import { sendVoice, type VoiceNote } from "./use-send-voice.ts";

const note: VoiceNote = {
  id: "recording-1",
  takenBack: false,
  accountId: 1,
  projectId: 2,
  file: new File(["sound"], "note.webm"),
  voice: { seconds: 2, wave: [] },
  quote: null,
};

test("a recording is one message and one upload, however often it is sent; where nothing is kept its writer keeps it until that ends", async () => {
  const client = new QueryClient();
  const outbox = outboxOf(client);
  const uploads = uploadsOf(client);
  const answers = [sendVoice(client, note), sendVoice(client, note)];
  expect(outbox.entries()).toMatchObject([{ clientId: "recording-1", uploads: ["recording-1"] }]);
  // This place has no database.
  expect(await uploads.keeps("recording-1")).toBe(false);
  expect(uploads.uploads()).toHaveLength(1);
  await outbox.stored("recording-1");
  outbox.discard("recording-1");
  expect(await Promise.all(answers)).toEqual([false, false]);
  // Its first upload is being taken back: this is another one.
  void sendVoice(client, { ...note, takenBack: true });
  expect(outbox.entries()[0]!.uploads).not.toEqual(["recording-1"]);
  outbox.discard("recording-1");
});
