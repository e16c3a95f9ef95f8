import { useState } from "react";
import { useClient } from "../../client/client.ts";
import { useSession } from "../../queries/session.ts";

/** Returns whether a group of the rail is collapsed, and what toggles it. This browser remembers it for the account; 0 is the list without a group. */
export function useCollapsedGroups(groupId: number): [isCollapsed: boolean, toggle: () => void] {
  const { serviceStorage } = useClient();
  const name = `collapsed-groups.${useSession().account.id}` as const;
  const read = () => new Set((serviceStorage.get(name) ?? "").split(",").filter(Boolean));
  const [isCollapsed, setCollapsed] = useState(() => read().has(String(groupId)));
  const toggle = () => {
    const groups = read();
    if (isCollapsed) groups.delete(String(groupId));
    else groups.add(String(groupId));
    serviceStorage.set(name, groups.size > 0 ? [...groups].join(",") : null);
    setCollapsed(!isCollapsed);
  };
  return [isCollapsed, toggle];
}
