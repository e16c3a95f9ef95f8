/** The services of the files room. */
import { createArchives } from "./domain/files/archive.ts";
import { createDeleting } from "./domain/files/deleting.ts";
import type { FilesDeps } from "./domain/files/deps.ts";
import { createEntries } from "./domain/files/entries.ts";
import { createFacets } from "./domain/files/facets.ts";
import { createListing } from "./domain/files/listing.ts";
import { createMoving } from "./domain/files/moving.ts";
import { createRestoring } from "./domain/files/restoring.ts";
import { createResumable } from "./domain/files/resumable.ts";
import { createFileStatuses } from "./domain/files/statuses.ts";
import { createUploads } from "./domain/files/uploads.ts";
import { createVersions } from "./domain/files/versions.ts";

export const createFileServices = (deps: FilesDeps, signingKey: Buffer) => ({
  entries: createEntries(deps),
  listing: createListing(deps),
  facets: createFacets(deps),
  moving: createMoving(deps),
  deleting: createDeleting(deps),
  restoring: createRestoring(deps),
  archives: createArchives(deps),
  uploads: createUploads(deps),
  resumable: createResumable(deps),
  fileStatuses: createFileStatuses(deps),
  versions: createVersions({ ...deps, signingKey }),
});
