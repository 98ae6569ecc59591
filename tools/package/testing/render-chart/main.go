// Renders the chart by the template engine and the functions that Helm uses (text/template and sprig), where Helm itself is not installed.
// Of Helm's own functions it has those that the chart uses: include, toYaml and .Files.Get.
//
//	render-chart CHART RELEASE VALUES
package main

import (
	"bytes"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	chart, release, values := os.Args[1], os.Args[2], os.Args[3]
	merged := merge(read(filepath.Join(chart, "values.yaml")), read(values))
	described := read(filepath.Join(chart, "Chart.yaml"))
	context := map[string]interface{}{
		"Values":  merged,
		"Chart":   map[string]interface{}{"Name": described["name"], "AppVersion": described["appVersion"]},
		"Release": map[string]interface{}{"Name": release, "Namespace": "default", "Service": "Helm"},
		"Files":   files{chart},
	}
	all := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"toYaml": toYaml,
		"include": func(name string, data interface{}) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
	})
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	sort.Strings(paths)
	for _, file := range paths {
		text, err := ioutil.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	for _, file := range paths {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		var out bytes.Buffer
		must(all.ExecuteTemplate(&out, filepath.Base(file), context))
		if strings.TrimSpace(out.String()) != "" {
			fmt.Printf("---\n%s\n", strings.TrimSpace(out.String()))
		}
	}
}

type files struct{ chart string }

// As Helm does: a file that the chart does not have is empty.
func (f files) Get(name string) string {
	text, err := ioutil.ReadFile(filepath.Join(f.chart, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func read(file string) map[string]interface{} {
	text, err := ioutil.ReadFile(file)
	must(err)
	out := map[string]interface{}{}
	must(yaml.Unmarshal(text, &out))
	return out
}

// As Helm does: maps are merged, everything else is replaced.
func merge(into, from map[string]interface{}) map[string]interface{} {
	for key, value := range from {
		old, isMap := into[key].(map[string]interface{})
		new, isNewMap := value.(map[string]interface{})
		if isMap && isNewMap {
			into[key] = merge(old, new)
		} else {
			into[key] = value
		}
	}
	return into
}

func toYaml(value interface{}) (string, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err := encoder.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
