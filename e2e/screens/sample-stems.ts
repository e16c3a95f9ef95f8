/** Creates a chat with three, five and twelve audio files in a message, and replies that name times in them. */
import { sendMessage } from "../../contract/operations/chat.ts";
import { call, createProject, type Person } from "../fixtures/api.ts";
import { sendFiles } from "../fixtures/files.ts";
import { createProcessedFiles } from "../fixtures/processed-files.ts";
import type { Service } from "../fixtures/service.ts";

const STEMS = "Kick,Snare,Hats and shakers,Bass DI,Bass amp,Keys left,Keys right,Lead vocal,Harmonies low,Harmonies high,Room,Strings".split(",");
const namesOf = (song: string, count: number) => STEMS.slice(0, count).map((stem) => `${song} - ${stem}.wav`);

export async function createSampleStems(service: Service, ana: Person): Promise<number> {
  const project = await createProject(ana, "Paper Moon stems");
  const organization = { service, owner: ana };
  const send = async (song: string, count: number, body: string) =>
    sendFiles(ana, project, await createProcessedFiles(organization, ana, project, namesOf(song, count)), body);
  const say = (body: string, parent_message_id?: number) => call(ana, sendMessage, { body: { project_id: project.id, body, parent_message_id } });
  await send("Paper Moon", 12, "All stems of Paper Moon, 48 kHz:");
  const { id } = await send("Low Tide", 5, "Low Tide:");
  await send("Glasshouse", 3, "");
  const [mix = 0, notes = 0] = await createProcessedFiles(organization, ana, project, ["Glasshouse mix v2.wav", "Notes.txt"]);
  await sendFiles(ana, project, [mix, notes], "And the mix of it.");
  await say("Better! But at 0:11 the snare still bites, listen to 0:14–0:16. See you at 14:30.");
  await say("> the kick at 0:02\nThat is ~~too loud~~ fine now:\n- kick\n- bass\n1. fix 0:03\n2. done", id);
  return project.id;
}
