<?php
$service = getenv("FRAGMENTS") ?: "http://localhost:3000";
$path = parse_url($_SERVER["REQUEST_URI"], PHP_URL_PATH);
$copy = sys_get_temp_dir() . "/footer-DE.json";
if (!is_file($copy) || filemtime($copy) < time() - 60) {
    $answer = @file_get_contents("$service/fragments/footer/DE.json", false, stream_context_create(["http" => ["timeout" => 1]]));
    if ($answer) file_put_contents($copy, $answer, LOCK_EX);
}
$footer = json_decode(@file_get_contents($copy) ?: file_get_contents("fallback.json"), true);

foreach ($footer["routes"] as $route) {
    if (!(str_ends_with($route, "/") ? str_starts_with($path, $route) : $path === $route)) continue;
    $headers = ["Connection" => "close", "X-Forwarded-For" => $_SERVER["REMOTE_ADDR"]] + getallheaders();
    $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
    $request = ["method" => $_SERVER["REQUEST_METHOD"], "header" => $lines, "content" => file_get_contents("php://input")];
    $http = stream_context_create(["http" => $request + ["follow_location" => 0, "ignore_errors" => true, "timeout" => 25]]);
    $body = @file_get_contents($service . $_SERVER["REQUEST_URI"], false, $http);
    foreach ($http_response_header ?? ["HTTP/1.1 502 Bad Gateway"] as $line) header($line, false);
    exit($body ?: "");
}

$sources = array_map(fn ($name, $values) => "; $name " . implode(" ", $values), array_keys($footer["contentSecurityPolicy"]), $footer["contentSecurityPolicy"]);
header("Content-Security-Policy: default-src 'none'" . implode($sources));
$title = $path === "/about" ? "Über uns" : "Start";
?>
<!doctype html>
<html lang="de">
<title><?= $title ?></title><?= $footer["head"] ?>

<nav><a href="/">Start</a> <a href="/about">Über uns</a></nav>
<main><h1><?= $title ?></h1></main>
<?= $footer["html"] ?>
