/** Requests of the rows about accounts and their pictures. */
import { insertAvatar, PICTURE } from "../pictures.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

const withAvatar =
  (selectId: (scenario: Scenario) => number): RequestBuilder =>
  async (scenario) => {
    const accountId = selectId(scenario);
    await insertAvatar(scenario.fixtures.testApp, accountId);
    return { params: { account_id: accountId }, query: { size: "small" } };
  };

export const ACCOUNT_REQUESTS: Record<string, RequestBuilder> = {
  "getOwnAccount oneself": () => ({}),
  "getAccountV2 member": inPath("account_id", ({ fixtures }) => fixtures.member.id),
  "getAccountV2 owner": inPath("account_id", ({ fixtures }) => fixtures.owner.id),
  "getAccountV2 foreign member": inPath("account_id", ({ fixtures }) => fixtures.foreignMember.id),
  "getAvatar of a member": withAvatar(({ fixtures }) => fixtures.member.id),
  "getAvatar of a foreign member": withAvatar(({ fixtures }) => fixtures.foreignMember.id),
  "setAvatar one's own": () => ({ bytes: PICTURE }),
  "removeAvatar one's own": () => ({}),
};
