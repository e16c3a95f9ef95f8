/** Creates the demo's metadata template and fills in the metadata of its songs. */
import { createMetadataTemplate, listMetadataTemplates, updateFileMetadata } from "../../../contract/operations/metadata.ts";
import type { MetadataTemplate, MetadataValues } from "../../../contract/metadata-records.ts";
import { RELEASE_TEMPLATE, releaseFields } from "../../../contract/release-template.ts";
import { nameKey } from "../../../contract/text.ts";
import type { ApiCall } from "./api.ts";
import type { DemoRun } from "./run.ts";
import { releaseDate, type ReleaseFieldName, type ReleaseValues } from "./story/release.ts";
import type { DemoUsers } from "./users.ts";

/** Returns the demo's template, which exists once across all attempts; null if the team has one of its own with this name, which the demo does not touch. */
export async function createReleaseTemplate(run: DemoRun, owner: ApiCall, teamId: number): Promise<MetadataTemplate | null> {
  const params = { team_id: teamId };
  const findTemplates = async () => (await owner(listMetadataTemplates, { params })).data;
  const id = await run.getOrCreate("metadata template", async () => {
    if ((await findTemplates()).some(({ name }) => nameKey(name) === nameKey(RELEASE_TEMPLATE))) return 0;
    const body = { name: RELEASE_TEMPLATE, kinds: ["audio" as const], fields: releaseFields() };
    return (await owner(createMetadataTemplate, { params, body, key: `demo-${run.beganAt}-metadata` })).data.id;
  });
  return (await findTemplates()).find((template) => template.id === id) ?? null;
}

/** Sets the values of one file, also if an earlier attempt has set them. */
export async function setReleaseValues(
  { run, users }: { run: DemoRun; users: DemoUsers },
  template: MetadataTemplate,
  fileId: number,
  given: Omit<ReleaseValues, "file">,
): Promise<void> {
  const values: MetadataValues = {};
  for (const { id, name, type, options } of template.fields) {
    const value = name === "Release date" ? releaseDate(run.beganAt) : given[name as ReleaseFieldName];
    if (value === undefined) continue;
    if (type === "choice") values[id] = options.find((option) => option.name === value)?.id ?? "";
    else values[id] = type === "person" ? users[value as keyof DemoUsers].id : value;
  }
  await users.owner.call(updateFileMetadata, { params: { file_id: fileId }, body: { values } });
}
