/** Creates metadata templates for tests and endpoint cases. */
import * as metadata from "../../contract/operations/metadata.ts";
import type { MetadataTemplate } from "../../contract/metadata-records.ts";
import type { Caller } from "./client.ts";
import type { Fixtures } from "./fixtures.ts";

let counter = 0;
export const newTemplateName = (): string => `Metadata ${++counter}`;

/** Creates a template with a field of each type, in `home` by default. */
export async function createMetadataTemplate({ testApp, owner, home }: Fixtures, caller: Caller = owner, teamId = home.team): Promise<MetadataTemplate> {
  const body = {
    name: newTemplateName(),
    fields: [
      { name: "Notes", type: "text" as const, tag: "comment" },
      { name: "Take", type: "number" as const },
      { name: "Version", type: "choice" as const, options: [{ name: "Clean" }, { name: "Instrumental" }] },
      { name: "Due", type: "date" as const },
      { name: "Engineer", type: "person" as const },
      { name: "ISRC", type: "isrc" as const, tag: "isrc" },
      { name: "Cleared", type: "checkbox" as const },
    ],
  };
  return (await testApp.call(caller, metadata.createMetadataTemplate, { params: { team_id: teamId }, body })).response.data;
}

/** Deletes the templates of `home`, so that a team never has as many as it can have. */
export async function deleteMetadataTemplates({ testApp, owner, home }: Fixtures): Promise<void> {
  const { data } = (await testApp.call(owner, metadata.listMetadataTemplates, { params: { team_id: home.team } })).response;
  for (const { id } of data) await testApp.call(owner, metadata.deleteMetadataTemplate, { params: { template_id: id } });
}

export const fieldOf = (template: MetadataTemplate, name: string): MetadataTemplate["fields"][number] => {
  const field = template.fields.find((one) => one.name === name);
  if (!field) throw new Error(`The template has no field ${name}`);
  return field;
};
