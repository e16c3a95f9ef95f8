/** Queries the audit log, which only owners may see. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { AuditGroup } from "../../contract/audit.ts";
import { listAuditEntries } from "../../contract/operations/audit.ts";
import { CURSOR_PAGES } from "./operations.ts";
import { AUDIT_KEY } from "./permissions.ts";

const PAGE_SIZE = 50;

/** Lengths of the spans before now, in days. */
export const AUDIT_SPANS = { day: 1, week: 7, month: 30 } as const;

/** null: not filtered. */
export interface AuditFilter {
  accountId: number | null;
  group: AuditGroup | null;
  span: keyof typeof AUDIT_SPANS | null;
}

const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...AUDIT_KEY, filter],
    queryFn: ({ pageParam: cursor, signal, meta }) => {
      const { accountId, group, span } = filter;
      const query = {
        cursor,
        limit: String(PAGE_SIZE),
        account_id: accountId === null ? undefined : String(accountId),
        group: group ?? undefined,
        from: span === null ? undefined : new Date(Date.now() - AUDIT_SPANS[span] * 86_400_000).toISOString(),
      };
      return meta!.client.api.call(listAuditEntries, { query }, { signal });
    },
    ...CURSOR_PAGES,
  });

/** Returns the entries that match the filter, newest first. */
export function useAuditLog(filter: AuditFilter) {
  const query = useInfiniteQuery(auditQuery(filter));
  return { ...query, entries: query.data?.pages.flatMap(({ data }) => data) };
}
