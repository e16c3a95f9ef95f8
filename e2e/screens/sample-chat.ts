/** Creates a chat with every kind of message: quoted, edited, deleted, with reactions, long, narrow, formatted, hostile. */
import { sendMessage } from "../../contract/operations/chat.ts";
import { addReaction, deleteMessage, editMessage } from "../../contract/operations/messages.ts";
import type { Message } from "../../contract/records.ts";
import { call, createProject, joinByInvite, markRead, createMessage, type Person } from "../fixtures/api.ts";
import { openDatabase, type Service } from "../fixtures/service.ts";
import type { SampleChat } from "./shot.ts";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;

const FORMATTED = [
  "**Print list** for the label, *please read before Thursday*:",
  "- `nightdrive_mix_v5.wav`, 48 kHz",
  "- instrumental, same start",
  "- a cappella without the room",
  "> The label wants stems from bar one.",
  "```",
  "ffmpeg -i mix_v5.wav -af loudnorm=I=-14 out.wav",
  "```",
  "Delivery spec: https://northlight.example/spec/2026-11.pdf",
].join("\n");

export async function createSampleChat(service: Service, ana: Person): Promise<SampleChat> {
  const project = await createProject(ana, "Halogen single");
  const ben = await joinByInvite(ana, "Ben Okafor-Lind", "member", [project.id]);
  const mia = await joinByInvite(ana, "Mia Solheim", "member", [project.id]);
  const noor = await joinByInvite(ana, "Noor Haddad", "guest", [project.id]);
  const params = (id: number) => ({ project_id: project.id, message_id: id });
  const sendReply = async (person: Person, parent: Message, body: string) =>
    (await call(person, sendMessage, { body: { project_id: project.id, body, parent_message_id: parent.id } })).data;
  const react = (person: Person, { id }: Message, emoji: string) => call(person, addReaction, { params: { ...params(id), emoji: encodeURIComponent(emoji) } });

  const sentMessages: [minutesAgo: number, message: Message][] = [];
  const sendAt = async (minutesAgo: number, person: Person, body: string) => {
    const message = await createMessage(person, project.id, body);
    sentMessages.push([minutesAgo, message]);
    return message;
  };
  for (let index = 0; index < 24; index += 1)
    await sendAt(
      3 * DAY_MINUTES - index * 9,
      [ana, ben, mia][index % 3]!,
      `Take ${index + 1}: ${["keeps the breath", "drags in bar nine", "is the one", "has a chair in it"][index % 4]}.`,
    );
  const longMessage = await sendAt(2 * DAY_MINUTES, noor, "🎛️🎚️🎙️🥁🎹".repeat(1_000));
  await sendAt(2 * DAY_MINUTES - 1, noor, "\u202Eright to left\u202C and back, e\u0301\u0327\u0316, ((((**>>``");
  const first = await sendAt(DAY_MINUTES + 50, mia, "Vocal comp is in the folder. Kept the breath before the second chorus, tell me if you hate it.");
  await sendAt(DAY_MINUTES + 30, ben, "🎉");
  await sendAt(DAY_MINUTES + 12, noor, FORMATTED);
  const bassMessage = await sendAt(95, ana, `Bass is hot at 1:23, everything else sits. <@${ben.id}> can you look before the label listens at five?`);
  for (const person of [ben, mia]) await react(person, bassMessage, "👍");
  await react(ana, bassMessage, "👍");
  await react(mia, bassMessage, "🎧");
  await sendAt(94, ana, "No hurry before lunch.");
  const reply = await sendReply(ben, bassMessage, "Fixed: −2 dB around 60 Hz, sidechain a touch slower.");
  sentMessages.push([80, reply]);
  await call(ben, editMessage, { params: params(reply.id), body: { body: "Fixed: −2 dB around 60 Hz, sidechain a touch slower. New bounce tonight." } });
  const mistake = await sendAt(70, noor, "wrong window");
  sentMessages.push([66, await sendReply(mia, mistake, "Happens to all of us.")]);
  await call(noor, deleteMessage, { params: params(mistake.id) });
  sentMessages.push([61, await sendReply(ana, first, "I do not hate it at all.")]);
  await sendAt(40, mia, `https://northlight.example/${"a-very-long-path-without-any-room-to-break/".repeat(4)}?take=7`);
  await sendAt(34, ben, `Checksum ${"9f3ac1d27be4".repeat(12)}`);
  await markRead(ana, project.id, sentMessages.at(-1)![1].id);
  for (const person of [ben, mia]) await markRead(person, project.id, sentMessages.at(-3)![1].id);
  await sendAt(12, noor, `<@${ana.id}> the label has listened. They like the bridge and ask whether the cymbal could be half a dB less proud.`);
  await sendAt(11, noor, "And they pay.");
  backdateMessages(service, sentMessages);
  return { projectId: project.id, ben, reply: reply.id, longMessage: longMessage.id };
}

/** Backdates messages to look as if they were written over several days. */
function backdateMessages(service: Service, sentMessages: readonly [number, Message][]): void {
  using database = openDatabase(service);
  const set = database.prepare("update messages set created_at = ? where id = ?");
  const now = Date.now();
  for (const [minutesAgo, { id }] of sentMessages) set.run(now - minutesAgo * MINUTE, id);
}
