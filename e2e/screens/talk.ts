/** A chat with everything that a message can be: quoted, edited, deleted, reacted to, long, narrow, formatted, hostile. */
import { join as path } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sendMessage } from "../../contract/operations/chat.ts";
import { addReaction, deleteMessage, editMessage } from "../../contract/operations/messages.ts";
import type { Message } from "../../contract/records.ts";
import { call, createProject, join, markRead, write, type Person } from "../fixtures/api.ts";
import type { Service } from "../fixtures/service.ts";
import type { Talk } from "./shot.ts";

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

export async function makeTalk(service: Service, ana: Person): Promise<Talk> {
  const project = await createProject(ana, "Halogen single");
  const ben = await join(ana, "Ben Okafor-Lind", "member", [project.id]);
  const mia = await join(ana, "Mia Solheim", "member", [project.id]);
  const noor = await join(ana, "Noor Haddad", "guest", [project.id]);
  const params = (id: number) => ({ project_id: project.id, message_id: id });
  const answer = async (by: Person, parent: Message, body: string) =>
    (await call(by, sendMessage, { body: { project_id: project.id, body, parent_message_id: parent.id } })).data;
  const react = (by: Person, { id }: Message, emoji: string) => call(by, addReaction, { params: { ...params(id), emoji: encodeURIComponent(emoji) } });

  const talk: [minutesAgo: number, message: Message][] = [];
  const say = async (minutesAgo: number, by: Person, body: string) => {
    const message = await write(by, project.id, body);
    talk.push([minutesAgo, message]);
    return message;
  };
  for (let index = 0; index < 24; index += 1)
    await say(
      3 * DAY_MINUTES - index * 9,
      [ana, ben, mia][index % 3]!,
      `Take ${index + 1}: ${["keeps the breath", "drags in bar nine", "is the one", "has a chair in it"][index % 4]}.`,
    );
  const flood = await say(2 * DAY_MINUTES, noor, "🎛️🎚️🎙️🥁🎹".repeat(1_000));
  await say(2 * DAY_MINUTES - 1, noor, "\u202Eright to left\u202C and back, e\u0301\u0327\u0316, ((((**>>``");
  const first = await say(DAY_MINUTES + 50, mia, "Vocal comp is in the folder. Kept the breath before the second chorus, tell me if you hate it.");
  await say(DAY_MINUTES + 30, ben, "🎉");
  await say(DAY_MINUTES + 12, noor, FORMATTED);
  const hot = await say(95, ana, `Bass is hot at 1:23, everything else sits. <@${ben.id}> can you look before the label listens at five?`);
  for (const by of [ben, mia]) await react(by, hot, "👍");
  await react(ana, hot, "👍");
  await react(mia, hot, "🎧");
  await say(94, ana, "No hurry before lunch.");
  const reply = await answer(ben, hot, "Fixed: −2 dB around 60 Hz, sidechain a touch slower.");
  talk.push([80, reply]);
  await call(ben, editMessage, { params: params(reply.id), body: { body: "Fixed: −2 dB around 60 Hz, sidechain a touch slower. New bounce tonight." } });
  const slip = await say(70, noor, "wrong window");
  talk.push([66, await answer(mia, slip, "Happens to all of us.")]);
  await call(noor, deleteMessage, { params: params(slip.id) });
  talk.push([61, await answer(ana, first, "I do not hate it at all.")]);
  await say(40, mia, `https://northlight.example/${"a-very-long-path-without-any-room-to-break/".repeat(4)}?take=7`);
  await say(34, ben, `Checksum ${"9f3ac1d27be4".repeat(12)}`);
  await markRead(ana, project.id, talk.at(-1)![1].id);
  for (const by of [ben, mia]) await markRead(by, project.id, talk.at(-3)![1].id);
  await say(12, noor, `<@${ana.id}> the label has listened. They like the bridge and ask whether the cymbal could be half a dB less proud.`);
  await say(11, noor, "And they pay.");
  redate(service, talk);
  return { projectId: project.id, ben, reply: reply.id, flood: flood.id };
}

/** As if it had been written over some days: they cannot be waited for. */
function redate(service: Service, talk: readonly [number, Message][]): void {
  const database = new DatabaseSync(path(service.dataDir, "talkback.db"), { timeout: 5_000 });
  try {
    const set = database.prepare("update messages set created_at = ? where id = ?");
    const now = Date.now();
    for (const [minutesAgo, { id }] of talk) set.run(now - minutesAgo * MINUTE, id);
  } finally {
    database.close();
  }
}
