/** Creates a project whose folders show every state of the files view. */
import type { Project } from "../../contract/records.ts";
import { createProject, type Person } from "../fixtures/api.ts";
import { insertFileCopies } from "../fixtures/file-copies.ts";
import { createFolder, uploadToFolder } from "../fixtures/files-view.ts";
import { setStatus, waitUntilProcessed, setFileState } from "../fixtures/files.ts";
import { png, singleWithCover, wav } from "../fixtures/media.ts";
import type { Service } from "../fixtures/service.ts";
import type { SampleFilesView } from "./shot.ts";

const HOUR_MS = 3_600_000;

export async function createSampleFilesView(service: Service, ana: Person): Promise<SampleFilesView> {
  const project: Project = await createProject(ana, "Paper Boats LP");
  const root = project.root_folder_id ?? 0;
  const [, stems, large] = [await createFolder(ana, root, "Artwork"), await createFolder(ana, root, "Stems"), await createFolder(ana, root, "Sample library")];
  const drums = await createFolder(ana, stems, "Drums");
  const empty = await createFolder(ana, drums, "Old takes");
  const mix = await uploadToFolder(ana, project, root, "harbour_mix_v4.wav", wav(21));
  const cover = await uploadToFolder(ana, project, root, "cover.png", png(900, 900, 30));
  const spec = await uploadToFolder(ana, project, root, "delivery_spec.txt", "48 kHz, 24 bit.\n".repeat(90));
  const single = await uploadToFolder(ana, project, root, "harbour_single.mp3", singleWithCover());
  for (const id of [mix, cover, spec, single]) await waitUntilProcessed(ana, id);
  await setStatus(ana, project, cover, "Approved");
  const [first, second, long, failed, waiting] = insertFileCopies(service, mix, [
    { name: "harbour_mix_v10.wav", bpm: 128, music_key: "F# minor", changed_at: Date.now() - 3 * HOUR_MS },
    { name: "lantern_mix_v2.wav", bpm: 96, music_key: "C major", changed_at: Date.now() - 50 * HOUR_MS },
    { name: "tide_vocal_comp_with_a_name_that_no_column_is_wide_enough_for_2026-11-17.wav", bpm: 74.5, changed_at: Date.now() - 400 * HOUR_MS },
    { name: "room_mic.wav", bpm: 0, music_key: null, unsure_key: "A minor" },
    { name: "strings_print.wav" },
  ]);
  insertFileCopies(service, single, [{ name: "lantern_single.mp3", bpm: 96, music_key: null, unsure_key: "E minor" }]);
  await setStatus(ana, project, first ?? 0, "In review");
  await setStatus(ana, project, second ?? 0, "Changes requested");
  await setStatus(ana, project, long ?? 0, "In progress");
  setFileState(service, failed ?? 0, { transcoding_status: "failed", failure: "The file ends in the middle of its sound." });
  setFileState(service, waiting ?? 0, { transcoding_status: "transcoding" });
  insertFileCopies(
    service,
    mix,
    [
      { name: "kick 2.wav", bpm: 128 },
      { name: "kick 10.wav", bpm: 128 },
    ],
    drums,
  );
  insertFileCopies(
    service,
    mix,
    Array.from({ length: 10_000 }, (_, index) => ({ name: `loop ${index + 1}.wav`, bpm: 70 + (index % 110), changed_at: Date.now() - index * HOUR_MS })),
    large,
  );
  return { projectId: project.id, large, empty };
}
