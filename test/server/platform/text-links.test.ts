import { expect, it } from "vitest";
import { splitLinks } from "../../../server/platform/text-links.ts";

const links = { privacy: "/privacy", contact: "/contact", terms: undefined };

it.each([
  ["No link.", [{ text: "No link." }]],
  ["[All of it](privacy)", [{ text: "All of it", url: "/privacy" }]],
  [
    "See [privacy](privacy), [us](contact).",
    [
      { text: "See " },
      { text: "privacy", url: "/privacy" },
      { text: ", " },
      { text: "us", url: "/contact" },
      { text: "." },
    ],
  ],
  [
    "Under [these terms](terms) and [others](nowhere)",
    [{ text: "Under " }, { text: "these terms" }, { text: " and " }, { text: "others" }],
  ],
  ["", []],
])("cuts %j at its links", (text, segments) => {
  expect(splitLinks(text, links)).toEqual(segments);
});
