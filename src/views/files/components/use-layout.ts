import { useState } from "react";
import { getPersisted, setPersisted } from "../../../lib/remembered.ts";

export type View = "table" | "tiles";

export interface Layout {
  view: View;
  setView(view: View): void;
  treeOpen: boolean;
  setTreeOpen(open: boolean): void;
}

/** Returns the layout settings, which this browser stores. */
export function useLayout(): Layout {
  const [view, setView] = useState<View>(() => (getPersisted("files-view") === "tiles" ? "tiles" : "table"));
  const [treeOpen, setTreeOpen] = useState(() => getPersisted("files-tree") !== "closed");
  return {
    view,
    setView(next) {
      setView(next);
      setPersisted("files-view", next);
    },
    treeOpen,
    setTreeOpen(open) {
      setTreeOpen(open);
      setPersisted("files-tree", open ? null : "closed");
    },
  };
}
