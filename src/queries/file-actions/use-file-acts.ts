import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { archiveAddress, demandArchive } from "../../api/file-changes.ts";
import { useSession } from "../session/use-session.ts";
import * as acts from "./acts.ts";
import type { Me } from "./permissions.ts";

type Bound<A> = { [Name in keyof A]: A[Name] extends (client: infer _, ...args: infer P) => infer R ? (...args: P) => R : never };
export type FileActs = Bound<typeof acts> & { archiveAddress: typeof archiveAddress; demandArchive: typeof demandArchive };

/** What can be done with files; it goes on when the view that asked for it is gone. */
export function useFileActs(): FileActs {
  const client = useQueryClient();
  return useMemo(() => {
    const bound = Object.entries(acts).map(([name, act]) => [name, (act as (...all: unknown[]) => unknown).bind(null, client)]);
    return { ...(Object.fromEntries(bound) as Bound<typeof acts>), archiveAddress, demandArchive };
  }, [client]);
}

/** Who acts, as far as it decides what may be done. */
export function useMe(): Me {
  const { account, role } = useSession();
  return useMemo(() => ({ accountId: account.id, role }), [account.id, role]);
}
