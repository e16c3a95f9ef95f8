/** A project whose folders hold what the files view shows, in every state. */
import type { Project } from "../../contract/records.ts";
import { createProject, type Person } from "../fixtures/api.ts";
import { folderIn, uploadInto } from "../fixtures/files-view.ts";
import { giveStatus, processed, stand } from "../fixtures/files.ts";
import { manyFiles } from "../fixtures/many-files.ts";
import { png, wav } from "../fixtures/media.ts";
import type { Service } from "../fixtures/service.ts";
import type { Scene } from "./shot.ts";

const HOUR_MS = 3_600_000;

export async function makeCollection(service: Service, ana: Person): Promise<Pick<Scene, "collection">["collection"]> {
  const project: Project = await createProject(ana, "Paper Boats LP");
  const root = project.root_folder_id ?? 0;
  const [, stems, large] = [await folderIn(ana, root, "Artwork"), await folderIn(ana, root, "Stems"), await folderIn(ana, root, "Sample library")];
  const drums = await folderIn(ana, stems, "Drums");
  const empty = await folderIn(ana, drums, "Old takes");
  const mix = await uploadInto(ana, project, root, "harbour_mix_v4.wav", wav(21));
  const cover = await uploadInto(ana, project, root, "cover.png", png(900, 900, 30));
  const spec = await uploadInto(ana, project, root, "delivery_spec.txt", "48 kHz, 24 bit.\n".repeat(90));
  for (const id of [mix, cover, spec]) await processed(ana, id);
  await giveStatus(ana, project, cover, "Approved");
  const [first, second, long, failed, waiting] = manyFiles(service, mix, [
    { name: "harbour_mix_v10.wav", bpm: 128, music_key: "F♯ minor", changed_at: Date.now() - 3 * HOUR_MS },
    { name: "lantern_mix_v2.wav", bpm: 96, music_key: "C major", changed_at: Date.now() - 50 * HOUR_MS },
    { name: "tide_vocal_comp_with_a_name_that_no_column_is_wide_enough_for_2026-11-17.wav", bpm: 74.5, changed_at: Date.now() - 400 * HOUR_MS },
    { name: "room_mic.wav" },
    { name: "strings_print.wav" },
  ]);
  await giveStatus(ana, project, first ?? 0, "In review");
  await giveStatus(ana, project, second ?? 0, "Changes requested");
  await giveStatus(ana, project, long ?? 0, "In progress");
  stand(service, failed ?? 0, { transcoding_status: "failed", failure: "The file ends in the middle of its sound." });
  stand(service, waiting ?? 0, { transcoding_status: "transcoding" });
  manyFiles(
    service,
    mix,
    [
      { name: "kick 2.wav", bpm: 128 },
      { name: "kick 10.wav", bpm: 128 },
    ],
    drums,
  );
  manyFiles(
    service,
    mix,
    Array.from({ length: 10_000 }, (_, index) => ({ name: `loop ${index + 1}.wav`, bpm: 70 + (index % 110), changed_at: Date.now() - index * HOUR_MS })),
    large,
  );
  return { projectId: project.id, large, empty };
}
