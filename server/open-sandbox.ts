/** Isolates the process that decodes uploads, for the service and for media workers. */
import type { Config } from "./config.ts";
import { openMediaSandbox, type MediaSandbox } from "./media/worker/sandbox.ts";

/** Returns the sandbox, or the reason why there is none. A tagging model that the media process fetches by itself needs the network. */
export const openSandbox = async ({ dataDir, taggingModel }: Pick<Config, "dataDir" | "taggingModel">): Promise<MediaSandbox | { reason: string }> =>
  taggingModel?.folder === null
    ? { reason: "TAGGING_MODEL names a model on the public hub, which needs the network" }
    : openMediaSandbox({ dataDir, readablePaths: taggingModel ? [taggingModel.folder] : [] });
