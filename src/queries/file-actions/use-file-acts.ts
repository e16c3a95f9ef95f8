import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { archiveUrl, assertArchiveAvailable } from "../../api/file-changes.ts";
import { useSession } from "../session/use-session.ts";
import * as mutations from "./acts.ts";
import type { CurrentUser } from "./permissions.ts";

type Bound<A> = { [Name in keyof A]: A[Name] extends (client: infer _, ...args: infer P) => infer R ? (...args: P) => R : never };
export type FileMutations = Bound<typeof mutations> & { archiveUrl: typeof archiveUrl; assertArchiveAvailable: typeof assertArchiveAvailable };

/** Returns the actions on files, which continue after the calling view unmounts. */
export function useFileMutations(): FileMutations {
  const client = useQueryClient();
  return useMemo(() => {
    const bound = Object.entries(mutations).map(([name, mutation]) => [name, (mutation as (...all: unknown[]) => unknown).bind(null, client)]);
    return { ...(Object.fromEntries(bound) as Bound<typeof mutations>), archiveUrl, assertArchiveAvailable };
  }, [client]);
}

/** Returns the account and role that decide the available actions. */
export function useCurrentUser(): CurrentUser {
  const { account, role } = useSession();
  return useMemo(() => ({ accountId: account.id, role }), [account.id, role]);
}
