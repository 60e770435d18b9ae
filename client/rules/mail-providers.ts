/** Domains of mail providers that are common in the shop's countries. */
export const mailProviders: ReadonlySet<string> = new Set(
  [
    "gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr live.com live.de msn.com",
    "yahoo.com yahoo.de yahoo.fr ymail.com icloud.com me.com mac.com aol.com aol.de hey.com mail.com proton.me",
    "protonmail.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.de posteo.de mailbox.org",
    "arcor.de online.de aon.at chello.at a1.net bluewin.ch hispeed.ch sunrise.ch wp.pl o2.pl onet.pl op.pl interia.pl",
    "poczta.fm tlen.pl seznam.cz email.cz centrum.cz volny.cz post.cz azet.sk centrum.sk zoznam.sk post.sk pobox.sk",
    "freemail.hu citromail.hu t-online.hu indamail.hu mynet.com yandex.com yandex.com.tr hotmail.com.tr yahoo.com.tr",
    "fastmail.com",
  ].flatMap((line) => line.split(" ")),
);
