import { t } from "../../lib/texts/documented-shell.ts";

/** Creates webhook endpoints of a service that has only the operations of the service document. */
export function CreateOnlyWebhooksView() {
  return (
    <h1 tabIndex={-1} className="p-5 text-xl font-semibold">
      {t("webhooks")}
    </h1>
  );
}
