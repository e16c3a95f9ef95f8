/** A chat that carries every kind of file in every state that it can be in. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeVideo } from "../../server/media/testing/video-file.ts";
import { createProject, write, type Person } from "../fixtures/api.ts";
import { giveStatus, processed, sendFiles, stand, upload, uploadVersion } from "../fixtures/files.ts";
import { png, wav } from "../fixtures/media.ts";
import { makeComments } from "./comments.ts";
import { makeTasks } from "./tasks.ts";
import type { Service } from "../fixtures/service.ts";
import type { Scene } from "./shot.ts";

async function trailer(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-trailer-"));
  try {
    await writeVideo(join(folder, "trailer"), { width: 640, height: 360, seconds: 3, format: "webm", codec: "libvpx", sound: "opus" });
    return readFileSync(join(folder, "trailer"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function makeFiles(service: Service, ana: Person): Promise<Pick<Scene, "filesProjectId" | "files">> {
  const project = await createProject(ana, "Halden Takes");
  const bring = async (name: string, bytes: Buffer | string) => {
    const id = await upload(ana, project, name, bytes);
    await processed(ana, id);
    return id;
  };
  const document = await bring("delivery_spec.txt", "48 kHz, 24 bit, stems from bar one.\n".repeat(120));
  const reel = await bring("reel_3.mp4", "This stands for a film.");
  const film = await bring("trailer_cut_2.webm", await trailer());
  const failed = await bring("room_mic.wav", "This stands for a sound.");
  const waiting = await bring("vocal_comp.wav", "This stands for a sound.");
  const verse = await bring("verse_take_with_a_name_that_no_phone_is_wide_enough_for.wav", wav(9));
  const sound = await bring("nightdrive_mix_v4.wav", wav(24));
  await uploadVersion(ana, sound, wav(26));
  await processed(ana, sound);
  const image = await bring("cover.png", png(1_400, 900, 30));
  const inlay = await bring("inlay.png", png(900, 900, 50));

  // Real processing passes through these too fast, or never ends in them with files that are whole.
  stand(service, waiting, { kind: "audio", transcoding_status: "waiting" });
  stand(service, failed, {
    kind: "audio",
    transcoding_status: "failed",
    failure: "The file ends in the middle of its sound. Bounce it again and send it once more.",
  });
  stand(service, reel, { kind: "video", transcoding_status: "transcoding", failure: null });
  await giveStatus(ana, project, sound, "In review");
  await giveStatus(ana, project, verse, "Changes requested");
  await giveStatus(ana, project, film, "In review");
  await giveStatus(ana, project, document, "In progress");
  await giveStatus(ana, project, image, "Approved");

  await sendFiles(ana, project, [document, reel], "Spec and picture for the trailer.");
  await sendFiles(ana, project, [film], "Second cut.");
  await sendFiles(ana, project, [failed, waiting]);
  await sendFiles(ana, project, [verse, sound], "Fixed: −2 dB around 60 Hz, sidechain a touch slower from 0:07. New bounces:");
  await sendFiles(ana, project, [image, inlay]);
  await write(ana, project.id, "Print it if nobody minds.");
  await makeTasks(ana, project.id, { sound, image });
  await makeComments(ana, project.id, { sound, image, film });
  return { filesProjectId: project.id, files: { sound, waiting, transcoding: reel, film, failed, image, document } };
}
