/** Baseline of the timeline: virtua on plain text rows, all loaded from the start. */
import { useLayoutEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { Virtualizer, type VirtualizerHandle } from "virtua";

function PlainList({ bodies }: { bodies: readonly string[] }) {
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.scrollToIndex(bodies.length - 1, { align: "end" }), [bodies]);
  return (
    <div ref={scroller} role="log">
      <Virtualizer ref={list} scrollRef={scroller} data={bodies} bufferSize={600}>
        {(body, index) => (
          <div key={index} className="row">
            {body}
          </div>
        )}
      </Virtualizer>
    </div>
  );
}

const bodies = (await (await fetch("bodies.json")).json()) as string[];
const root = document.getElementById("root");
if (root) createRoot(root).render(<PlainList bodies={bodies} />);
