/** Renders a view's actions into the project header, beside the members. */
import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";

/** The container in the header; null until the header is mounted. */
export const HeaderActionsContainer = createContext<HTMLElement | null>(null);

export function HeaderActions({ children }: { children: ReactNode }) {
  const container = useContext(HeaderActionsContainer);
  return container && createPortal(children, container);
}
