/** Creates a chat with every kind of file in every state. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moveFiles } from "../../contract/operations/files-view.ts";
import { writeVideo } from "../../server/media/testing/video-file.ts";
import { call, createProject, createMessage, type Person } from "../fixtures/api.ts";
import { createFolder } from "../fixtures/files-view.ts";
import { setStatus, setUnsureKey, waitUntilProcessed, sendFiles, setFileState, upload, uploadVersion } from "../fixtures/files.ts";
import { png, singleWithCover, wav } from "../fixtures/media.ts";
import type { Service } from "../fixtures/service.ts";
import { createSampleComments } from "./comment-shots.ts";
import { createSampleTasks } from "./sample-tasks.ts";
import type { Scene } from "./shot.ts";

async function renderTrailer(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-trailer-"));
  try {
    await writeVideo(join(folder, "trailer"), { width: 640, height: 360, seconds: 3, format: "webm", codec: "libvpx", sound: "opus" });
    return readFileSync(join(folder, "trailer"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function createSampleFiles(service: Service, ana: Person): Promise<Pick<Scene, "filesProjectId" | "files">> {
  const project = await createProject(ana, "Halden Takes");
  const uploadProcessed = async (name: string, bytes: Buffer | string) => {
    const id = await upload(ana, project, name, bytes);
    await waitUntilProcessed(ana, id);
    return id;
  };
  const document = await uploadProcessed("delivery_spec.txt", "48 kHz, 24 bit, stems from bar one.\n".repeat(120));
  const reel = await uploadProcessed("reel_3.mp4", "This stands for a video.");
  const video = await uploadProcessed("trailer_cut_2.webm", await renderTrailer());
  const failed = await uploadProcessed("room_mic.wav", "This stands for a sound.");
  const waiting = await uploadProcessed("vocal_comp.wav", "This stands for a sound.");
  const verse = await uploadProcessed("verse_take_with_a_name_that_no_phone_is_wide_enough_for.wav", wav(9));
  const sound = await uploadProcessed("nightdrive_mix_v4.wav", wav(24));
  await uploadVersion(ana, sound, wav(26));
  await waitUntilProcessed(ana, sound);
  const single = await uploadProcessed("halden_single.mp3", singleWithCover());
  const image = await uploadProcessed("cover.png", png(1_400, 900, 30));
  const inlay = await uploadProcessed("inlay.png", png(900, 900, 50));

  // Real processing passes these states too fast, or never reaches them with intact files.
  setFileState(service, waiting, { kind: "audio", transcoding_status: "waiting" });
  setFileState(service, failed, {
    kind: "audio",
    transcoding_status: "failed",
    failure: "The file ends in the middle of its sound. Bounce it again and send it once more.",
  });
  setFileState(service, reel, { kind: "video", transcoding_status: "transcoding", failure: null });
  await setStatus(ana, project, sound, "In review");
  await setStatus(ana, project, verse, "Changes requested");
  await setStatus(ana, project, video, "In review");
  await setStatus(ana, project, document, "In progress");
  await setStatus(ana, project, image, "Approved");

  let folder = project.root_folder_id;
  for (const name of ["Deliveries for the label and for everyone who asks", "2026", "Mixes that wait for the final approval of the band"])
    folder = await createFolder(ana, folder, name);
  await call(ana, moveFiles, { body: { file_ids: [single], parent_id: folder! } });
  setUnsureKey(service, single, ["A minor", "C major"]);

  await sendFiles(ana, project, [document, reel], "Spec and picture for the trailer.");
  await sendFiles(ana, project, [video], "Second cut.");
  await sendFiles(ana, project, [failed, waiting]);
  await sendFiles(ana, project, [verse, sound], "Fixed: −2 dB around 60 Hz, sidechain a touch slower from 0:07. New bounces:");
  await sendFiles(ana, project, [image, inlay]);
  await sendFiles(ana, project, [single], "The single, with artwork.");
  await createMessage(ana, project.id, "Print it if nobody minds.");
  await createSampleTasks(ana, project.id, { sound, image });
  await createSampleComments(ana, project.id, { sound, single, image, video, document });
  return { filesProjectId: project.id, files: { sound, single, waiting, transcoding: reel, video, failed, image, document } };
}
