import { needsSession } from "../../contract/offered-operations.ts";
import { useClient } from "../client/client.ts";
import { useStore } from "../lib/store.ts";
import { type NamedFeature, t, tFeature } from "../lib/texts/not-offered.ts";

const FEATURE_LIST = new Intl.ListFormat("en", { type: "disjunction" });

/** Lists those of the features that the service lacks, if any; but not what only a token lacks. */
export function MissingFeatures({ features, className }: { features: readonly NamedFeature[]; className: string }) {
  const { api } = useClient();
  useStore(api.service);
  const missing = features.filter((feature) => !api.hasFeature(feature) && !(api.hasToken && needsSession(feature)));
  if (missing.length === 0) return null;
  return <p className={`text-text-2 ${className}`}>{t("help", { feature: FEATURE_LIST.format(missing.map((feature) => tFeature(feature))) })}</p>;
}
