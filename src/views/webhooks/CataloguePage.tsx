import { t } from "../../lib/messages/webhooks.ts";
import { EventTypes } from "./components/EventTypes.tsx";

/** Lists the event types beside the endpoint list while no endpoint is open. */
export function CatalogPage() {
  return (
    <section aria-labelledby="catalogue" className="mx-auto max-w-190 p-4 @min-[640px]/pane:p-6">
      <h2 id="catalogue" className="text-lg font-semibold">
        {t("catalogTitle")}
      </h2>
      <p className="mb-4 text-text-2">
        {t("catalogHelp")} {t("chooseEndpoint")}
      </p>
      <EventTypes />
    </section>
  );
}
