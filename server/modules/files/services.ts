import { createArchiveDownloads } from "./archive-downloads.ts";
import { createArchives } from "./archive.ts";
import { createDeletedEntries } from "./deleted-entries.ts";
import { createDeleting } from "./deleting.ts";
import type { FilesDeps } from "./deps.ts";
import { createEntries } from "./entries.ts";
import { createFacets } from "./facets.ts";
import { createListing } from "./listing.ts";
import { createMoving } from "./moving.ts";
import { createRestoring } from "./restoring.ts";
import { createResumable } from "./resumable.ts";
import { createSignedUrls, type SigningDeps } from "./signed-urls.ts";
import { createTagCorrections } from "./tag-corrections.ts";
import { createUploads } from "./uploads.ts";
import { createVersions } from "./versions.ts";

export function createFileServices(deps: FilesDeps, signing: SigningDeps) {
  const versions = createVersions(deps);
  return {
    entries: createEntries(deps),
    listing: createListing(deps),
    facets: createFacets(deps),
    moving: createMoving(deps),
    deletedEntries: createDeletedEntries(deps),
    deleting: createDeleting(deps),
    restoring: createRestoring(deps),
    archives: createArchives(deps),
    archiveDownloads: createArchiveDownloads(deps),
    uploads: createUploads(deps),
    resumable: createResumable(deps),
    versions,
    signedUrls: createSignedUrls({ ...deps, ...signing, versions }),
    tagCorrections: createTagCorrections(deps),
  };
}

export type FileServices = ReturnType<typeof createFileServices>;
