import { t } from "../../lib/messages/uploads.ts";
import { isMissing } from "../problems.ts";
import { useService } from "../service/use-service.ts";
import { useRights } from "../session/use-rights.ts";

/** Why no files can be brought here, in words; null where they can, or while that is not known. */
export function useUploadsOff(): string | null {
  const { uploadsFiles } = useRights();
  const { data, error } = useService();
  if (!uploadsFiles) return t("offForRole");
  // A service that offers the documented operations alone does not tell what it can do.
  return data?.features.includes("files") === false || (error && isMissing(error)) ? t("offHere") : null;
}
