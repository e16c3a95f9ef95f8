import { CircleSlash } from "lucide-react";
import { needsSession } from "../../contract/offered-operations.ts";
import { useClient } from "../client/client.ts";
import { PageTitle } from "../components/PageTitle.tsx";
import { type NamedFeature, t, tFeature } from "../lib/texts/not-offered.ts";
import { t as tShell } from "../lib/texts/shell.ts";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Shown at the address of a page that the service lacks, or that needs a session. */
export function NotOffered({ feature }: { feature: NamedFeature }) {
  const { api } = useClient();
  return (
    <div className="flex h-full flex-col justify-center-safe overflow-y-auto">
      <PageTitle text={`${t("title")} · ${tShell("brand")}`} />
      <EmptyState icon={<CircleSlash size={22} aria-hidden />} title={t("title")}>
        {t(api.hasToken && needsSession(feature) ? "sessionHelp" : "help", { feature: tFeature(feature) })}
      </EmptyState>
    </div>
  );
}
