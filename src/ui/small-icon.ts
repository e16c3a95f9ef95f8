/** Draws a lucide-react icon; the build substitutes this module for the library's own factory, which has many unused features. */
import { createElement, type SVGProps } from "react";

interface IconData {
  node: [tag: string, attributes: Record<string, string>][];
}
type Props = SVGProps<SVGSVGElement> & { size?: number | string };

export default function createIcon({ node }: IconData) {
  return function Icon({ size = 24, ...rest }: Props) {
    return createElement(
      "svg",
      {
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 1.75,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": rest["aria-label"] === undefined,
        ...rest,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
}
