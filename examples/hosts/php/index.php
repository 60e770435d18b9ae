<?php
// nginx keeps the answer, also while the service is down.
$answer = @file_get_contents(getenv("EDGE") . "/fragments/footer/DE.json");
$footer = json_decode($answer ?: file_get_contents("fallback.json"), true);
$sources = array_map(fn ($name, $values) => "; $name " . implode(" ", $values), array_keys($footer["contentSecurityPolicy"]), $footer["contentSecurityPolicy"]);
header("Content-Security-Policy: default-src 'none'" . implode($sources));
$title = $_SERVER["REQUEST_URI"] === "/about" ? "Über uns" : "Start";
?>
<!doctype html>
<html lang="de">
<title><?= $title ?></title><?= $footer["head"] ?>

<nav><a href="/">Start</a> <a href="/about">Über uns</a></nav>
<main><h1><?= $title ?></h1></main>
<?= $footer["html"] ?>
