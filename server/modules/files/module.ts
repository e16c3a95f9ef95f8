/** Files and folders: uploads, versions, the files view, downloads and tags. */
import { createSessionLocks } from "../../db/session-locks.ts";
import type { ServiceModule } from "../../http/module.ts";
import { onEachMachine } from "../../jobs/scheduled-jobs.ts";
import { HOUR } from "../../lib/clock.ts";
import type { FilesDeps } from "./deps.ts";
import { purgeDeletedFiles } from "./retention.ts";
import { registerFileRoutes } from "./routes.ts";
import { createFileServices, type FileServices } from "./services.ts";
import type { SigningDeps } from "./signed-urls.ts";
import { registerFilesViewRoutes } from "./view-routes.ts";

export interface FilesOptions {
  signing: SigningDeps;
  /** Folder on the local disk for the parts of unfinished uploads. */
  folder: string;
}

export function createFilesModule(deps: FilesDeps, { signing, folder }: FilesOptions): ServiceModule<FileServices> {
  const services = createFileServices(deps, signing);
  const { present, storage, publicUrl, limits } = deps;
  return {
    services,
    features: ["files", "files-view", "uploads", "processing"],
    async register({ server, route, authorizedCaller, fetcher }) {
      registerFileRoutes(route, services, { present, storage, publicUrl, fetcher });
      registerFilesViewRoutes(route, services, present);
      // Imports the upload library only here, because it takes a while to load and the command line has no routes.
      const { registerTusRoutes } = await import("./tus-routes.ts");
      const locks = deps.database.engine === "postgres" ? createSessionLocks(deps.database) : null;
      server.addHook("onClose", async () => locks?.close());
      const { expire } = registerTusRoutes(server, route, authorizedCaller, {
        resumable: services.resumable,
        folder,
        maxUploadBytes: limits.maxUploadBytes,
        storage,
        locks,
      });
      return {
        // The data of active uploads and media work never becomes stale, because it is written continuously.
        "delete stale upload data": onEachMachine(() => storage.removeStale(HOUR)),
        "delete expired uploads": expire,
        "delete the bytes of deleted files": () => purgeDeletedFiles(deps),
      };
    },
  };
}
