#!/usr/bin/env bash
# Counts the holders of the elements of the first tile of a layout report, and
# how many of them differ. usage: holders.sh JSON
tr -d ' \n' < "$1" | sed -E 's/.*"elements":\[(.*)\]\],"layout".*/\1/' | grep -oE '\[[0-9]+,[0-9]+,[0-9]+' > /dev/null || exit 1
list=$(tr -d ' \n' < "$1" | sed -E 's/.*"elements":(.*),"layout".*/\1/' | grep -oE '[0-9]+,[0-9]+,[0-9]+')
echo "$(wc -l <<< "$list") holders, $(sort -u <<< "$list" | wc -l) different"
