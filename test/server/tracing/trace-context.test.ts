import { describe, expect, it } from "vitest";
import { readTraceContext, writeTraceContext } from "../../../server/tracing/trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const first = `00-${traceId}-${spanId}-01`;
const members = (count: number) => Array.from({ length: count }, (_, index) => `v${index}=1`).join(",");

/** What is passed on of a request's headers. */
function passedOn(traceparent: string | undefined, tracestate?: string) {
  const context = readTraceContext({ traceparent, tracestate });
  return context && writeTraceContext(context);
}

describe("traceparent", () => {
  it.each([first, `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-ff`])(
    "is passed on as it came: %s",
    (header) => {
      expect(passedOn(header)).toEqual({ traceparent: header });
    },
  );

  it.each([`01-${traceId}-${spanId}-01`, `cc-${traceId}-${spanId}-01-what the future will be like`])(
    "of a later version is passed on as far as it is known: %s",
    (header) => {
      expect(passedOn(header)).toEqual({ traceparent: first });
    },
  );

  it.each([
    undefined,
    "",
    "0",
    traceId,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}0-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-0g`,
    `00-${traceId}-${spanId}`,
    `${first}-`,
    `${first}-ada@shop.example`,
    `${first}1`,
    `01-${traceId}-${spanId}-01x`,
    ` ${first}`,
    `${first}, ${first}`,
  ])("that the standard doesn't allow counts as none: %s", (header) => {
    expect(passedOn(header, "vendor=1")).toBeUndefined();
  });
});

describe("tracestate", () => {
  it.each([
    ["vendor=00f067aa0ba902b7", "vendor=00f067aa0ba902b7"],
    ["tenant@system=1 2,other=~", "tenant@system=1 2,other=~"],
    ["a=1 ,\tb=2, ,", "a=1,b=2"],
    [members(32), members(32)],
  ])("is passed on beside it: %s", (header, state) => {
    expect(passedOn(first, header)).toEqual({ traceparent: first, tracestate: state });
  });

  it.each(["", "vendor", "Vendor=1", "=1", "a=b=c", "a=é", "a=1,b", members(33), `a=${"1".repeat(511)}`])(
    "that the standard doesn't allow is left out: %s",
    (header) => {
      expect(passedOn(first, header)).toEqual({ traceparent: first });
    },
  );
});
