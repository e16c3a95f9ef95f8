/** Creates a chat with voice notes between text messages, replied to and quoted. */
import { sendMessage } from "../../contract/operations/chat.ts";
import { call, createProject, joinByInvite, createMessage, type Person } from "../fixtures/api.ts";
import { waitUntilProcessed, upload } from "../fixtures/files.ts";
import { voiceWav } from "../fixtures/media.ts";

export async function createSampleVoiceNotes(ana: Person): Promise<number> {
  const project = await createProject(ana, "Glass Harbour");
  const tove = await joinByInvite(ana, "Tove Lindqvist", "member", [project.id]);
  const sendVoiceNote = async (person: Person, seconds: number, parent: number | null = null) => {
    const id = await upload(person, project, `Voice note 2026-11-21 14.0${seconds % 10}.wav`, voiceWav(seconds));
    await waitUntilProcessed(person, id);
    const body = { project_id: project.id, body: "", attachment_ids: [id], is_audio_message: true, parent_message_id: parent };
    return (await call(person, sendMessage, { body })).data;
  };
  await createMessage(ana, project.id, "How should the second verse come in? Sing it to me.");
  const hook = await sendVoiceNote(tove, 14);
  await sendVoiceNote(tove, 6);
  await sendVoiceNote(ana, 23, hook.id);
  await call(tove, sendMessage, { body: { project_id: project.id, body: "That one. Take the breath out before the chorus.", parent_message_id: hook.id } });
  return project.id;
}
