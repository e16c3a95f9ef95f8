import type { FilesDeps } from "../files/deps.ts";
import { createCsvExport } from "./csv-export.ts";
import { createCsvImport } from "./csv-import.ts";
import { createTaggedDownloads } from "./downloads.ts";
import { createMetadataFields } from "./fields.ts";
import { createMetadataListing } from "./list-values.ts";
import { createMetadataSuggestions } from "./suggestions.ts";
import { createMetadataTemplates } from "./templates.ts";
import { createMetadataUsage } from "./usage.ts";
import { createMetadataValues } from "./values.ts";

export function createMetadataServices(deps: FilesDeps) {
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
  };
}

export type MetadataServices = ReturnType<typeof createMetadataServices>;
