import { Plus, Webhook } from "lucide-react";
import { t } from "../../../lib/messages/webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { Payload } from "./ExamplePayload.tsx";

/** Explains webhooks with an example while no endpoint exists. */
export function NoEndpoints({ onCreate }: { onCreate(): void }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-160 flex-col items-start gap-4 px-4 py-8 tablet:px-6">
        <div className="flex size-12 items-center justify-center rounded-lg border border-line bg-raised text-text-2">
          <Webhook size={22} aria-hidden />
        </div>
        <div>
          <h2 className="text-lg font-semibold">{t("emptyTitle")}</h2>
          <p className="mt-1.5 text-text-2">{t("emptyHelp")}</p>
        </div>
        <Button variant="primary" onClick={onCreate}>
          <Plus size={16} aria-hidden />
          {t("newEndpoint")}
        </Button>
        <figure className="w-full">
          <figcaption className="mb-1.5 text-sm text-text-3">{t("emptyExample")}</figcaption>
          <Payload type="file.status_changed" />
        </figure>
      </div>
    </div>
  );
}
