/** The matrix rows about delivery rules, in the format of `table.ts`, and their requests. */
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const DELIVERY_RULES_TABLE = `
getDeliveryRules     of home                        404 404 404 404 | 200 200 | 200 200 200 200
getDeliveryRules     of apart                       404 404 404 404 | 404 404 | 404 404 200 200
setDeliveryRules     of home                        404 404 404 404 | 403 403 | 403 403 200 200
setDeliveryRules     of foreign                     200 200 403 403 | 404 404 | 404 404 404 404
checkDelivery        of home                        404 404 404 404 | 404 404 | 200 200 200 200
checkDelivery        of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
`;

const RULES = { loudness: null, true_peak_max: -1, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };
type ProjectKey = "home" | "apart" | "foreign";
const teamOf = (projectKey: ProjectKey) => (scenario: Scenario) => scenario.fixtures[projectKey].team;
const fileOf = (projectKey: ProjectKey) => (scenario: Scenario) => scenario.fixtures[projectKey].file;

export const DELIVERY_RULES_REQUESTS: Record<string, RequestBuilder> = {
  "getDeliveryRules of home": inPath("team_id", teamOf("home")),
  "getDeliveryRules of apart": inPath("team_id", teamOf("apart")),
  "setDeliveryRules of home": inPath("team_id", teamOf("home"), RULES),
  "setDeliveryRules of foreign": inPath("team_id", teamOf("foreign"), RULES),
  "checkDelivery of home": inPath("file_id", fileOf("home")),
  "checkDelivery of foreign": inPath("file_id", fileOf("foreign")),
};
