/** A chat with voice notes among words, answered and quoted. */
import { sendMessage } from "../../contract/operations/chat.ts";
import { call, createProject, join, write, type Person } from "../fixtures/api.ts";
import { processed, upload } from "../fixtures/files.ts";
import { voiceWav } from "../fixtures/media.ts";

export async function makeVoices(ana: Person): Promise<number> {
  const project = await createProject(ana, "Glass Harbour");
  const tove = await join(ana, "Tove Lindqvist", "member", [project.id]);
  const say = async (by: Person, seconds: number, parent: number | null = null) => {
    const id = await upload(by, project, `Voice note 2026-11-21 14.0${seconds % 10}.wav`, voiceWav(seconds));
    await processed(by, id);
    const body = { project_id: project.id, body: "", attachment_ids: [id], is_audio_message: true, parent_message_id: parent };
    return (await call(by, sendMessage, { body })).data;
  };
  await write(ana, project.id, "How should the second verse come in? Sing it to me.");
  const hook = await say(tove, 14);
  await say(tove, 6);
  await say(ana, 23, hook.id);
  await call(tove, sendMessage, { body: { project_id: project.id, body: "That one. Take the breath out before the chorus.", parent_message_id: hook.id } });
  return project.id;
}
