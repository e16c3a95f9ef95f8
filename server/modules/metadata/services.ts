import type { FilesDeps } from "../files/deps.ts";
import { createCsvExport } from "./csv-export.ts";
import { createCsvImport } from "./csv-import.ts";
import { createTaggedDownloads } from "./downloads.ts";
import { createMetadataFields } from "./fields.ts";
import type { FileServices } from "../files/services.ts";
import { createMetadataListing } from "./list-values.ts";
import { createMetadataSuggestions } from "./suggestions.ts";
import { createTaggedArchives } from "./tagged-archives.ts";
import { createMetadataTemplates } from "./templates.ts";
import { createMetadataUsage } from "./usage.ts";
import { createMetadataValues } from "./values.ts";

export function createMetadataServices(deps: FilesDeps, files: Pick<FileServices, "archives" | "archiveDownloads">) {
  const metadataValues = createMetadataValues(deps);
  return {
    metadataTemplates: createMetadataTemplates(deps),
    metadataFields: createMetadataFields(deps),
    metadataUsage: createMetadataUsage(deps),
    metadataValues,
    metadataListing: createMetadataListing(deps),
    metadataSuggestions: createMetadataSuggestions(deps),
    csvExport: createCsvExport(deps),
    csvImport: createCsvImport(deps, metadataValues),
    taggedDownloads: createTaggedDownloads(deps),
    taggedArchives: createTaggedArchives(deps, files),
    archiveDownloads: files.archiveDownloads,
  };
}

export type MetadataServices = ReturnType<typeof createMetadataServices>;
