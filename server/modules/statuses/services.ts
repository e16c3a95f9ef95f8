import type { FilesDeps } from "../files/deps.ts";
import { createStatusReplacing } from "../files/status-replacement.ts";
import { createFileStatuses } from "./file-statuses.ts";
import { createStatusChanges } from "./manage-statuses.ts";
import { createStatuses } from "./statuses.ts";

export const createStatusServices = (deps: FilesDeps) => ({
  statuses: createStatuses(deps),
  statusChanges: createStatusChanges({ ...deps, files: createStatusReplacing(deps) }),
  fileStatuses: createFileStatuses(deps),
});

export type StatusServices = ReturnType<typeof createStatusServices>;
