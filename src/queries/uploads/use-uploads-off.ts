import { t } from "../../lib/messages/uploads.ts";
import { isInaccessible } from "../problems.ts";
import { useService } from "../service/use-service.ts";
import { usePermissions } from "../session/use-rights.ts";

/** Why no files can be brought here, in words; null where they can, or while that is not known. */
export function useUploadDisabledReason(): string | null {
  const { canUploadFiles } = usePermissions();
  const { data, error } = useService();
  if (!canUploadFiles) return t("offForRole");
  // A service that offers the documented operations alone does not tell what it can do.
  return data?.features.includes("files") === false || (error && isInaccessible(error)) ? t("offHere") : null;
}
