/** Bounds how many files are fetched from other servers at a time, because a slow one may hold its fetch for half an hour. */
import type { Actor } from "../../access/access.ts";
import { createCounts } from "../../lib/counts.ts";
import { HttpError } from "../../lib/errors.ts";

export const MAX_FETCHES = { account: 3, organisation: 12 };
const RETRY_SECONDS = 30;

/** Counts the fetches of this process. */
export function createFetchLimits() {
  const underWay = createCounts();

  return {
    /** Runs `work`, or throws a 429 while the actor's account or organization has its maximum under way. */
    async run<T>({ accountId, organisationId }: Pick<Actor, "accountId" | "organisationId">, work: () => Promise<T>): Promise<T> {
      const [account, organisation] = [`account ${accountId}`, `organisation ${organisationId}`];
      const who =
        underWay.get(account) >= MAX_FETCHES.account
          ? `You have ${MAX_FETCHES.account} files`
          : underWay.get(organisation) >= MAX_FETCHES.organisation
            ? `Your organization has ${MAX_FETCHES.organisation} files`
            : null;
      if (who !== null)
        throw new HttpError(429, `${who} on their way from other servers. Try again once one of them has arrived.`, { retryAfter: RETRY_SECONDS });
      const releases = [account, organisation].map((key) => underWay.add(key));
      try {
        return await work();
      } finally {
        for (const release of releases) release();
      }
    },
  };
}
