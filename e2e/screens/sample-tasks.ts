/** Creates the tasks of a team in the middle of an album: overdue, due soon, without a date, done, for several people. */
import { updateTask } from "../../contract/operations/tasks.ts";
import { call, joinByInvite, type Person } from "../fixtures/api.ts";
import { dateFromToday } from "../fixtures/dates.ts";
import { writeTask } from "../fixtures/tasks.ts";

export async function createSampleTasks(ana: Person, projectId: number, { sound, image }: { sound: number; image: number }): Promise<void> {
  const leo = await joinByInvite(ana, "Leo Tanaka", "member", [projectId]);
  await writeTask(ana, sound, "Bounce instrumental and a cappella", { assignee: leo, due: dateFromToday(-2) });
  await writeTask(leo, sound, "Listen to the vocal at 1:23 on small speakers", { assignee: ana, due: dateFromToday(0) });
  await writeTask(ana, sound, "Write ISRC and credits into the file");
  const done = await writeTask(leo, sound, "Two dB less around 60 Hz", { assignee: leo });
  await call(leo, updateTask, { params: { task_id: done.id }, body: { closed: true } });
  await writeTask(leo, image, "Approve the cover", { assignee: ana, due: dateFromToday(-1) });
  await writeTask(leo, image, "Order the inlay with the printer", { assignee: ana, due: dateFromToday(12) });
  await writeTask(leo, sound, "Choose the single", { assignee: ana });
}
