import { useParams } from "react-router";
import { t } from "../../lib/texts/documented-shell.ts";

/** The chat of a service that has only the operations of the service document. */
export function ReadOnlyChatView() {
  const { projectId = "" } = useParams();
  return (
    <h1 tabIndex={-1} className="p-5 text-xl font-semibold">
      {t("chatOf", { id: projectId })}
    </h1>
  );
}
