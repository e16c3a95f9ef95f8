/** Metadata: templates of fields that a team defines, and the values that files have for them. */
import type { ServiceModule } from "../../http/module.ts";
import type { FilesDeps } from "../files/deps.ts";
import type { FileServices } from "../files/services.ts";
import { eraseDeletedMetadata } from "./retention.ts";
import { registerMetadataFileRoutes } from "./file-routes.ts";
import { registerMetadataRoutes } from "./routes.ts";
import { createMetadataServices, type MetadataServices } from "./services.ts";

export function createMetadataModule(deps: FilesDeps, files: Pick<FileServices, "archives" | "archiveDownloads">): ServiceModule<MetadataServices> {
  const services = createMetadataServices(deps, files);
  return {
    services,
    features: ["metadata"],
    register({ route }) {
      registerMetadataRoutes(route, services);
      registerMetadataFileRoutes(route, services);
      return { "erase deleted metadata": () => eraseDeletedMetadata(deps) };
    },
  };
}
