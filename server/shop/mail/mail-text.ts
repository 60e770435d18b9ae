import type { MailBlock, MailContent, MailLink } from "./mail-content.ts";

/** Writes a mail as plain text: all that its HTML says, and the address of a link on the line below it. */
export function mailText({ brand, heading, blocks, sender }: MailContent): string {
  const senderText = [...sender.lines, "", ...sender.links.map(linkText)].join("\n");
  return `${[brand, heading, ...blocks.map(blockText), senderText].join("\n\n")}\n`;
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "button":
      return linkText(block.link);
    case "question":
      return `${block.text}\n${linkText(block.link)}`;
    case "voucher":
      return [block.text, "", block.code, "", ...block.terms, linkText(block.conditions)].join("\n");
  }
}

function linkText({ text, url }: MailLink): string {
  return `${text}:\n${url}`;
}
