import { useParams } from "react-router";
import { t } from "../../lib/texts/documented-shell.ts";

/** A file's page for a service that has only the operations of the service document. */
export function ReadOnlyFileView() {
  const { fileId = "" } = useParams();
  return (
    <h1 tabIndex={-1} className="p-5 text-xl font-semibold">
      {t("fileOf", { id: fileId })}
    </h1>
  );
}
